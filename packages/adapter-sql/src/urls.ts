// Loads no driver of a database, for commands that only read a configuration.
export { authoritiesIn, databaseUrlFault } from './drivers/urls.js'
