// Without the drivers of databases: commands that only read a configuration load this.
export { databaseUrlFault } from './drivers/urls.js'
