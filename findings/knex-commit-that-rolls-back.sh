#!/usr/bin/env bash
# knex@3.3.0 with pg@8.23.1
# A transaction on PostgreSQL in which a statement failed is committed by Knex without an error when the work caught that error, and
# nothing of it is stored: the server answers ROLLBACK to the COMMIT, which neither pg nor Knex looks at.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save knex@3.3.0 pg@8.23.1 > /dev/null

# A private PostgreSQL (Debian: postgresql), which refuses root.
as_user=(); [ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
programs=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
mkdir server && chmod 755 "$folder" && [ "$(id -u)" -ne 0 ] || chown 65534:65534 server
"${as_user[@]}" "$programs/initdb" --pgdata=server/data --username=postgres --auth=trust --no-sync > server.log
"${as_user[@]}" "$programs/postgres" -D server/data -c listen_addresses= -c unix_socket_directories="$folder/server" >> server.log 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true; rm -rf "$folder"' EXIT
until "$programs/pg_isready" --quiet --host="$folder/server"; do kill -0 $server; sleep 0.1; done

cat > run.mjs <<'END'
import createKnex from 'knex'
const knex = createKnex({ client: 'pg', connection: { host: process.argv[2], user: 'postgres', database: 'postgres' } })
await knex.schema.createTable('accounts', (table) => table.text('number'))
const outcome = await knex
  .transaction(async (trx) => {
    await trx('accounts').insert({ number: 'A-1' })
    await trx.raw('SELECT 1 / 0').catch(() => undefined)
    return 'done'
  })
  .catch((cause) => cause.message)
console.log('the transaction:', outcome)
console.log('accounts:', (await knex('accounts')).length)
await knex.destroy()
END
cat > expected <<'END'
the transaction: done
accounts: 0
END

node run.mjs "$folder/server" | tee seen
cmp -s expected seen || {
  echo 'Knex reports a transaction that was rolled back at its COMMIT now.' >&2
  exit 1
}
