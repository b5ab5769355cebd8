import test from 'ava'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const adapter = fileURLToPath(import.meta.resolve('@account-import/adapter-email'))

const moduleOf = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

/** For `--import`: makes the Catalan texts load with a mistake in them. */
const breaking = (): string => {
  const hook = `export const load = async (url, context, next) => {
    const loaded = await next(url, context)
    return url.endsWith('/adapter-email/dist/templates/ca.js')
      ? { ...loaded, source: String(loaded.source).replace('{{created_on}}', '{{craeted_on}}') }
      : loaded
  }`
  return moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))})`)
}

test('the e-mail adapter cannot be loaded with a broken bundled template, and says which it is', async (t) => {
  const started = promisify(execFile)(process.execPath, ['--import', breaking(), adapter])
  const error = await t.throwsAsync(() => started)
  t.regex(error.message, /bundled e-mail template ca is broken: its text names {{craeted_on}}/)
})
