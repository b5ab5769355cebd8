import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { Findings } from '@account-import/core/payloads'
import { readWarnings } from '@account-import/http-contract'

// Loaded by AVA before each test file while EMITTED_CODES_DIR names a folder: writes there which codes the tests see,
// in checks of this process and in answers of servers. Every worker has a file of its own, and writes at once, as
// AVA may end it at any moment.

const folder = process.env['EMITTED_CODES_DIR']
const seen = new Set<string>()

const note = (code: string): void => {
  if (folder === undefined || seen.has(code)) return
  seen.add(code)
  appendFileSync(join(folder, `${process.pid}-${threadId}.txt`), `${code}\n`)
}

const noteFindings = (name: 'errors' | 'warnings'): void => {
  const found = Findings.prototype[name]
  Findings.prototype[name] = function (this: Findings) {
    const entries = found.call(this)
    for (const { code, detail } of entries) {
      note(code)
      if (/\{(?:max|min|allowed|form)\}/.test(detail))
        throw new Error(`the text of ${code} is not filled: ${detail}`)
    }
    return entries
  }
}

/** The codes of a refusal: its own, and those of its entries. */
const codesIn = (body: unknown): readonly string[] => {
  if (typeof body !== 'object' || body === null) return []
  const own = 'code' in body && typeof body.code === 'string' ? [body.code] : []
  const entries: readonly unknown[] = 'errors' in body && Array.isArray(body.errors) ? body.errors : []
  return own.concat(...entries.map(codesIn))
}

const noteAnswer = async (response: Response): Promise<void> => {
  for (const { code } of readWarnings(response.headers.get('Import-Warnings'))) note(code)
  const isRefusal = response.status >= 400 && response.headers.has('X-Request-Id')
  if (!isRefusal || !(response.headers.get('Content-Type') ?? '').startsWith('application/json')) return
  try {
    codesIn(await response.clone().json()).forEach(note)
  } catch {
    // An answer that breaks off is for the test to tell, which reads it as well.
  }
}

const noteAnswers = (): void => {
  const { fetch } = globalThis
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request)
    await noteAnswer(response)
    return response
  }
}

if (folder !== undefined) {
  noteFindings('errors')
  noteFindings('warnings')
  noteAnswers()
}
