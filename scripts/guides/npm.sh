# What npm and npx do, without the seconds that they need: packages come from a folder in which npm has installed all of
# them, and a folder gets no other than those it asks for.

guide_prefix() {
  local folder=$PWD
  while [ "$folder" != / ]; do
    if [ -e "$folder/package.json" ] || [ -e "$folder/node_modules" ]; then break; fi
    folder=$(dirname "$folder")
  done
  if [ "$folder" = / ]; then folder=$PWD; fi
  echo "$folder"
}

guide_install() {
  local modules program target
  if [ ! -e "$GUIDE_PACKED/node_modules/$1/package.json" ]; then
    echo "npm: $1 is not published" >&2
    return 1
  fi
  modules=$(guide_prefix)/node_modules
  mkdir -p "$modules/.bin" "$(dirname "$modules/$1")"
  ln -sfn "$GUIDE_PACKED/node_modules/$1" "$modules/$1"
  for program in "$GUIDE_PACKED"/node_modules/.bin/*; do
    target=$(readlink "$program")
    case $target in ../"$1"/*) ln -sfn "$target" "$modules/.bin/$(basename "$program")" ;; esac
  done
}

npm() {
  local name
  case $1 in
    i | install) for name in "${@:2}"; do guide_install "${name%@latest}" || return; done ;;
    create) node "$GUIDE_PACKED/node_modules/.bin/create-${2%@*}" "${@:3}" ;;
    *) command npm "$@" ;;
  esac
}

npx() {
  local program
  case $1 in
    @parley/cli) program=$GUIDE_PACKED/node_modules/.bin/cli ;;
    *) program=$(guide_prefix)/node_modules/.bin/$1 ;;
  esac
  if [ ! -e "$program" ]; then
    echo "npx: $1 would be fetched under a name that is not ours" >&2
    return 127
  fi
  node "$program" "${@:2}"
}
