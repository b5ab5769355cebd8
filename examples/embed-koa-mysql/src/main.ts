import { createPlatform } from './platform.js'

/** Environment variables of this program; it has no defaults for secrets. */
const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name}; see README.md`)
  return value
}

const platform = await createPlatform(setting('DATABASE_URL'), setting('TOKEN_SIGNING_KEY'))
const server = platform.app.listen(Number(process.env['PORT'] ?? '3000'), '127.0.0.1', () => {
  console.log('listening', server.address())
})

process.once('SIGTERM', () => {
  server.close(() => void platform.close())
})
