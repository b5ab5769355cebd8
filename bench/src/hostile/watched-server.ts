import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOurs } from '../servers/start-ours.js'
import type { Blocking } from './blocking.js'

/** The bundled server on SQLite, whose event loop tells how long it was kept busy. */
export type WatchedServer = Readonly<{
  address: string
  token: string
  /** What its event loop did since this was last asked. */
  blocking(): Promise<Blocking>
  stop(): Promise<void>
}>

const watchLoop = new URL('./watch-loop.js', import.meta.url).href

/** Starts it in a folder of its own, which goes when it is stopped. */
export const startWatchedServer = async (): Promise<WatchedServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-hostile-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const { child, port, token, stop } = await startOurs({ folder, databaseUrl: '', imports: [watchLoop] })
    return {
      address: `http://127.0.0.1:${port}`,
      token,
      blocking: async () => {
        child.send('blocking')
        const [blocking] = (await once(child, 'message')) as [Blocking]
        return blocking
      },
      stop: async () => {
        await stop()
        await remove()
      },
    }
  } catch (cause) {
    await remove()
    throw cause
  }
}
