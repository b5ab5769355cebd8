// The parts of the worker that need no browser, for tests.
export { checkFile, keeping, LineSet } from './check-file.js'
export { ownJudge } from './judges.js'
export { FileSource } from './file-source.js'
export { hexOf, Sha256 } from './sha256.js'
