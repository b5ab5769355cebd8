import { existsSync } from 'node:fs'

/** Ports of a node: for clients, for the group, for missed write sets, for whole copies of data. */
export type NodePorts = Readonly<{ sql: number; group: number; missed: number; copy: number }>

/** Where distributions put the provider. */
const providers = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']

/** Galera's library; undefined where it is not installed. */
export const galeraProvider = (): string | undefined => providers.find((path) => existsSync(path))

/**
 * A node of a cluster on loopback. A node that was away catches up by what the others kept of the write sets it missed;
 * copies of whole data, for which more would have to be installed, are never needed by runs this short.
 */
export const nodeSettings = (
  provider: string,
  name: string,
  ports: NodePorts,
  all: readonly NodePorts[],
): readonly string[] => [
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=32M',
  '--max-allowed-packet=64M',
  '--binlog-format=ROW',
  '--innodb-autoinc-lock-mode=2',
  '--wsrep-on=ON',
  `--wsrep-provider=${provider}`,
  '--wsrep-cluster-name=account-import-test',
  `--wsrep-node-name=${name}`,
  `--wsrep-cluster-address=gcomm://${all.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
  `--wsrep-node-address=127.0.0.1:${ports.group}`,
  `--wsrep-node-incoming-address=127.0.0.1:${ports.sql}`,
  '--wsrep-sst-method=rsync',
  `--wsrep-sst-receive-address=127.0.0.1:${ports.copy}`,
  '--wsrep-slave-threads=2',
  `--wsrep-provider-options=${[
    'base_host=127.0.0.1',
    `base_port=${ports.group}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${ports.group}`,
    `ist.recv_addr=127.0.0.1:${ports.missed}`,
    'gcache.size=256M',
    'evs.suspect_timeout=PT2S',
    'evs.inactive_timeout=PT4S',
    'evs.keepalive_period=PT0.5S',
    'pc.recovery=false',
  ].join(';')}`,
]
