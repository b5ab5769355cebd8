/** Where a member is reached by the others. */
const groupPort = 33_061

/** A member of a group on a network of its own: it gives up what it cannot commit, or is not seen to, within seconds. */
export const memberSettings = (
  folder: string,
  place: number,
  address: string,
  all: readonly string[],
): readonly string[] => [
  `--datadir=${folder}/data`,
  `--tmpdir=${folder}`,
  `--socket=${folder}/socket`,
  `--pid-file=${folder}/pid`,
  '--port=3306',
  '--mysqlx=OFF',
  '--secure-file-priv=NULL',
  '--skip-name-resolve',
  '--max-connections=300',
  '--innodb-buffer-pool-size=64M',
  '--innodb-redo-log-capacity=64M',
  '--innodb-flush-log-at-trx-commit=1',
  '--sync-binlog=1',
  '--sql-require-primary-key=ON',
  `--server-id=${place}`,
  '--gtid-mode=ON',
  '--enforce-gtid-consistency=ON',
  `--report-host=${address}`,
  '--report-port=3306',
  '--plugin-load-add=group_replication.so',
  '--loose-group-replication-group-name=6b6a1f0a-4d55-4f0e-9a57-0b1c2d3e4f50',
  '--loose-group-replication-start-on-boot=OFF',
  `--loose-group-replication-local-address=${address}:${groupPort}`,
  `--loose-group-replication-group-seeds=${all.map((each) => `${each}:${groupPort}`).join(',')}`,
  '--loose-group-replication-recovery-get-public-key=ON',
  '--loose-group-replication-autorejoin-tries=0', // who is expelled is told to come back
  '--loose-group-replication-member-expel-timeout=0',
  '--loose-group-replication-unreachable-majority-timeout=5',
]
