# Starts two private MariaDB servers (Debian: mariadb-server, mariadb-plugin-spider), with a database `d` each: $node, and $head, which has Spider
# and knows the node by the name `node`. Needs $folder. To be sourced, with settings of the head.

# The servers refuse root.
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
servers=()
trap '[ ${#servers[@]} -eq 0 ] || kill "${servers[@]}"; wait; rm -rf "$folder"' EXIT

free_port() {
  node -e "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })"
}

# The name of a server, its port, and its settings.
start() {
  local home=$folder/$1
  mkdir "$home"
  [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$home"
  "${as_user[@]}" mariadb-install-db --no-defaults --datadir="$home/data" --tmpdir="$home" \
    --auth-root-authentication-method=normal --skip-test-db --skip-name-resolve > "$home.log" 2>&1
  "${as_user[@]}" mariadbd --no-defaults --datadir="$home/data" --tmpdir="$home" --socket="$home/socket" --pid-file="$home/pid" \
    --bind-address=127.0.0.1 --port="$2" --skip-name-resolve --innodb-buffer-pool-size=32M "${@:3}" >> "$home.log" 2>&1 &
  servers+=($!)
  until mariadb -uroot -h127.0.0.1 -P"$2" -e 'CREATE DATABASE IF NOT EXISTS d' 2> /dev/null; do
    kill -0 "${servers[-1]}"
    sleep 0.1
  done
}

chmod 755 "$folder"
node_port=$(free_port)
start node "$node_port"
head_port=$(free_port)
start head "$head_port" --plugin-load-add=ha_spider "$@"

# Run the statements of the input; a line each.
on_node() { mariadb -uroot -h127.0.0.1 -P"$node_port" --force -n -N -vv d 2>&1; }
on_head() { mariadb -uroot -h127.0.0.1 -P"$head_port" --force -n -N -vv d 2>&1; }

on_head > /dev/null <<END
CREATE SERVER node FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1', PORT $node_port, USER 'root', PASSWORD '', DATABASE 'd');
END

# The outcomes of statements, and the rows of those that select a text and values.
outcomes() { grep -E '^(ERROR|Query OK|seen:)' | sed -E 's/ at line [0-9]+//; s/\t/ /g'; }
