// The built server and command line in few files, for tests that start them: they start in a third of the processor time.
import { copyFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const server = 'packages/server'
const site = 'packages/adapter-http-koa/dist/site'

/** They find files of their own beside them, or are loaded by name. */
const loaded = ['knex', 'libsql', 'minio', 'mysql2']

/**
 * Writes them into a folder inside node_modules, where they find what they load by name. Files that the sources find by
 * `import.meta.url` lie at the same places there: threads and processes, package.json, the pages of /docs/. The result is the
 * program, at a path that ends as that of the built one: it says by that how it is to be called.
 */
export const bundleServer = async (folder) => {
  const bundle = await rolldown({
    input: {
      main: `${server}/dist/main.js`,
      worker: `${server}/dist/workers/worker.js`,
      thread: `${server}/dist/long-bodies/thread.js`,
      'check/worker': `${server}/dist/offline/check/worker.js`,
    },
    platform: 'node',
    external: (id) => loaded.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await bundle.write({ dir: join(folder, 'server/dist'), chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  copyFileSync(`${server}/package.json`, join(folder, 'server/package.json'))
  symlinkSync(resolve(site), join(folder, 'server/site'), 'junction')
  return resolve(folder, 'server/dist/main.js')
}
