export * from './certificates.js'
export { freePort } from './free-port.js'
export { galeraAvailable, startGalera, type Galera } from './galera.js'
export { groupProgram, startGroup, type Group, type GroupNode } from './group.js'
export {
  asAdministrator,
  givenServer,
  mariaDbAvailable,
  startMariaDb,
  type DatabaseServer,
  type MariaDb,
} from './mariadb.js'
export {
  chromiumAvailable,
  chromiumProgram,
  findExecutable,
  nginxAvailable,
  pythonAvailable,
  runCommand,
  testsServers,
  testsWithoutServers,
  type ClusterNode,
} from './processes.js'
export { postgresqlAvailable, startPostgresql, startStandby, type Postgresql } from './postgresql.js'
export { pgBouncerAvailable, startPgBouncer, type Pooler } from './pgbouncer.js'
export { spiderAvailable, startSpider, type Spider } from './spider.js'
export * from './small-disk.js'
export { until } from './until.js'
