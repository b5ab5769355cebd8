#!/usr/bin/env bash
# MariaDB 10.11.19 with Spider (Debian)
# A DELETE from a partitioned table of Spider removes its rows and reports 0: the number of a table without partitions is right, as is that
# of the same DELETE once the table has a trigger, with which the head deletes row by row.
set -euo pipefail
folder=$(mktemp -d)
source "$(dirname "$0")/support/spider.sh"

on_node > /dev/null << 'END'
CREATE TABLE parted (owner VARCHAR(9), n INT, PRIMARY KEY (owner, n)) ENGINE=InnoDB;
CREATE TABLE whole (owner VARCHAR(9), n INT, PRIMARY KEY (owner, n)) ENGINE=InnoDB;
END
on_head > /dev/null << 'END'
CREATE TABLE whole (owner VARCHAR(9), n INT, PRIMARY KEY (owner, n)) ENGINE=SPIDER COMMENT='wrapper "mysql", srv "node", table "whole"';
CREATE TABLE parted (owner VARCHAR(9), n INT, PRIMARY KEY (owner, n)) ENGINE=SPIDER COMMENT='wrapper "mysql", table "parted"' PARTITION BY KEY (owner) (PARTITION p COMMENT='srv "node"');
INSERT INTO whole VALUES ('a', 1), ('a', 2), ('a', 3);
INSERT INTO parted VALUES ('a', 1), ('a', 2), ('a', 3);
END
on_head << 'END' | outcomes | tee "$folder/seen"
DELETE FROM whole WHERE owner = 'a' AND n < 3;
DELETE FROM parted WHERE owner = 'a' AND n < 3;
SELECT 'seen:', COUNT(*) FROM parted;
CREATE TRIGGER counted AFTER DELETE ON parted FOR EACH ROW SET @counted = 1;
DELETE FROM parted WHERE owner = 'a' AND n = 3;
END
cat > "$folder/expected" << 'END'
Query OK, 2 rows affected
Query OK, 0 rows affected
seen: 1
Query OK, 0 rows affected
Query OK, 1 row affected
END
cmp -s "$folder/expected" "$folder/seen" || {
  echo 'Spider counts deleted rows of partitions in another way now.' >&2
  exit 1
}
