export { defaultOptions, readCommand, type GeneratorOptions, type Profile } from './command-line.js'
export { generateAccount, generateAccounts, type GeneratedAccount } from './generate-accounts.js'
export type { Finding, Findings } from './faults/fault.js'
