export { consoleApp, type ConsoleOptions } from './console-app.js'
export type { PlatformAccess, PlatformVisitor } from './access.js'
