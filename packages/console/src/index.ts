export { consoleApp, type ConsoleOptions } from './console-app.js'
export type { PlatformVisitor } from './access.js'
