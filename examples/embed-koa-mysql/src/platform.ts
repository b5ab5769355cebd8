import Koa from 'koa'
import mount from 'koa-mount'
import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import { createApp } from '@account-import/adapter-http-koa'
import { type Imports, openImports } from './import-service.js'

/** A platform with its own page that also serves the data-import API. */
export type Platform = Readonly<{ app: Koa; imports: Imports; close(): Promise<void> }>

export const createPlatform = async (databaseUrl: string, signingKey: string): Promise<Platform> => {
  const key = parseSigningKey(signingKey)
  if (key === undefined) throw new Error('TOKEN_SIGNING_KEY is not valid: openssl rand -base64 32 makes one')
  const imports = await openImports(databaseUrl, joseAccessTokens(key))

  const app = new Koa()
  // The import API sends its own headers and error bodies.
  const log = (entry: unknown): void => console.log(JSON.stringify(entry))
  app.use(mount('/imports', createApp(imports.service.useCases, { log })))
  app.use((ctx) => {
    ctx.body = 'The platform that was here before'
  })
  return { app, imports, close: imports.close }
}
