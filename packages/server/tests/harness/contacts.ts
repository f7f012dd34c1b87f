export { befriend } from '@parley/testkit/live';
