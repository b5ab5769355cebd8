export { freePort } from './free-port.js'
export { mariaDbAvailable, startMariaDb } from './mariadb.js'
export type { MariaDb } from './mariadb.js'
