// Loads no driver of a database, for commands that only read a configuration.
export { authoritiesIn, databaseUrlFault, decodedPart, noAuthorities } from './drivers/urls.js'
