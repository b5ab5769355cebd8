// Loads no driver of a database, for commands that only read a configuration.
export { databaseUrlFault } from './drivers/urls.js'
