#!/usr/bin/env bash
# MariaDB 10.11.19 with Spider (Debian)
# With spider_internal_xa, which makes commits over several nodes XA transactions, no transaction can use two nodes of one host: error 12606, as
# ports do not count. The rolled back transaction stays in mysql.spider_xa.
set -euo pipefail
folder=$(mktemp -d)
source "$(dirname "$0")/support/spider.sh" --spider-internal-xa=1

second_port=$(free_port)
start second "$second_port"
create='CREATE TABLE t (n INT PRIMARY KEY) ENGINE=InnoDB'
on_node > /dev/null <<< "$create"
mariadb -uroot -h127.0.0.1 -P"$second_port" d <<< "$create"
on_head > /dev/null <<END
CREATE SERVER second FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1', PORT $second_port, USER 'root', PASSWORD '', DATABASE 'd');
CREATE TABLE t (n INT PRIMARY KEY) ENGINE=SPIDER COMMENT='wrapper "mysql", table "t"' PARTITION BY LIST (n) (PARTITION a VALUES IN (1) COMMENT='srv "node"', PARTITION b VALUES IN (2) COMMENT='srv "second"');
END
on_head << 'END' | outcomes | tee "$folder/seen"
BEGIN;
INSERT INTO t VALUES (1);
INSERT INTO t VALUES (2);
COMMIT;
SELECT 'seen:', COUNT(*) FROM t;
SELECT 'seen:', status FROM mysql.spider_xa;
END
cat > "$folder/expected" << 'END'
Query OK, 0 rows affected
Query OK, 1 row affected
Query OK, 1 row affected
ERROR 12606 (HY000): This xid member already exists
seen: 0
seen: NOT YET
END
cmp -s "$folder/expected" "$folder/seen" || {
  echo 'Spider commits on two nodes of one host in another way now.' >&2
  exit 1
}
