export { consoleApp, type ConsoleOptions } from './console-app.js'
export type { Nobody, PlatformAccess, PlatformVisitor } from './access.js'
