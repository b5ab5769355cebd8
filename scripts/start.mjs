// Sets up, then serves the demo in this same process.
import './setup.mjs'

process.argv.splice(2, 0, 'serve', '--demo')
await import('../packages/server/dist/main.js')
