// The parts of the worker that need no browser, for tests.
export { type CheckResult, type PageData, type Places } from '../page/protocol.js'
export { type Checked, checkFile, type OnProgress } from './check-file.js'
export { FileSource } from './file-source.js'
export { type CheckThreads, checkInThisThread } from './check-threads.js'
