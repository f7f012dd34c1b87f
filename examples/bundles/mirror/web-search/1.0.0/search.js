const words = process.argv.slice(2).join(' ');
if (words === '') {
  process.stderr.write('usage: node search.js <words>\n');
  process.exit(2);
}
const response = await fetch(`https://api.search.com/?q=${encodeURIComponent(words)}`);
if (!response.ok) {
  process.stderr.write(`the search service answered ${response.status}\n`);
  process.exit(1);
}
for (const { title, url } of await response.json()) process.stdout.write(`${title} ${url}\n`);
