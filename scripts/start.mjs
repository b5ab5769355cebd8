// Sets up, then serves the demo in this same process.
import { setUp } from './setup.mjs'

setUp('run')
// The text of the demo must remain visible, so requests are logged only on request. On a terminal the demo does so itself.
if (!process.stdout.isTTY) process.env.LOG_LEVEL ??= 'warn'
process.argv.splice(2, 0, 'serve', '--demo')
await import('../packages/server/bin/account-import.js')
