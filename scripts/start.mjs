// Sets up, then serves the demo in this same process.
import './setup.mjs'

// npm runs this in a shell, and a shell does not pass signals on: when npm and its shell were ended and this
// process is left over, it ends too. Ctrl-C reaches it directly, and then nothing more is to be sent: a second
// signal would cut off the requests that the server is finishing.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, 500).unref()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    clearInterval(watch)
    // Nobody else listens while the server starts: the signal does what it does by default.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  })

process.argv.splice(2, 0, 'serve', '--demo')
await import('../packages/server/dist/main.js')
