import Koa from 'koa'
import mount from 'koa-mount'
import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import { createApp } from '@account-import/adapter-http-koa'
import { startBackgroundWork } from '@account-import/core/background'
import { createImports } from './imports.js'

const { DATABASE_URL = '', PLATFORM_URL = '', TOKEN_SIGNING_KEY = '', PORT = '3000' } = process.env
const key = parseSigningKey(TOKEN_SIGNING_KEY)
if (key === undefined) throw new Error('TOKEN_SIGNING_KEY is not valid: openssl rand -base64 32 makes one')
const imports = await createImports(DATABASE_URL, PLATFORM_URL, joseAccessTokens(key))
const work = startBackgroundWork(imports.useCases)

const platform = new Koa()
platform.use(mount('/imports', createApp(imports.useCases)))
platform.use((ctx) => {
  ctx.body = 'The platform that was here before'
})
const server = platform.listen(Number(PORT), '127.0.0.1', () => console.log('listening', server.address()))
process.once('SIGTERM', () => server.close(() => void work.stop().then(() => process.exit(0))))
