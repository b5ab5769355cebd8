#!/usr/bin/env bash
# MariaDB 10.11.19 with Spider (Debian)
# With spider_conn_recycle_mode 1 or 2, after an INSERT … ON DUPLICATE KEY UPDATE, an UPDATE of the same table that its data node refuses for
# a unique key is answered without an error: 0 rows, and nothing is stored. Before, and with mode 0, the same UPDATE fails with error 1062.
set -euo pipefail
folder=$(mktemp -d)
source "$(dirname "$0")/support/spider.sh" --spider-conn-recycle-mode=1

columns='owner VARCHAR(9), n INT, number VARCHAR(9), times INT, PRIMARY KEY (owner, n)'
on_node > /dev/null <<< "CREATE TABLE accounts ($columns, UNIQUE (number)) ENGINE=InnoDB"
on_head > /dev/null <<END
CREATE TABLE accounts ($columns, KEY (number)) ENGINE=SPIDER COMMENT='wrapper "mysql", srv "node", table "accounts"';
INSERT INTO accounts VALUES ('a', 1, 'A-1', 1), ('a', 2, NULL, 1);
END
on_head << 'END' | outcomes | tee "$folder/seen"
UPDATE accounts SET number = 'A-1' WHERE owner = 'a' AND n = 2;
INSERT INTO accounts VALUES ('a', 2, NULL, 1) ON DUPLICATE KEY UPDATE times = times + 1;
UPDATE accounts SET number = 'A-1' WHERE owner = 'a' AND n = 2;
SELECT 'seen:', number FROM accounts WHERE owner = 'a' AND n = 2;
END
cat > "$folder/expected" << 'END'
ERROR 1062 (23000): Duplicate entry 'A-1' for key 'number'
Query OK, 2 rows affected
Query OK, 0 rows affected
seen: NULL
END
cmp -s "$folder/expected" "$folder/seen" || {
  echo 'Spider reports the refused UPDATE now.' >&2
  exit 1
}
