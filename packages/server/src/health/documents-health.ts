import type { HealthCode } from '@account-import/adapter-http-koa'
import { DocumentStorageError } from '@account-import/adapter-object-storage'
import type { Documents } from '@account-import/core'
import type { Checked, Reason } from './checked.js'

const degraded = (code: HealthCode, reason: Reason): Checked => ({
  components: { document_storage: { state: 'degraded', code } },
  reasons: { document_storage: reason },
})

/** What is said of a storage that takes too long. */
export const documentsLate: Checked = degraded('timed_out', { code: 'ETIMEDOUT' })

/** Whether the document storage works. Without it the service lacks only its check of documents: it is never `failed`. */
export const documentsHealth = async (documents: Documents, place: string): Promise<Checked> => {
  const ready = await documents.ready()()
  if (ready._tag === 'Right') return { components: { document_storage: { state: 'ok' } } }
  const { kind, cause } = ready.left
  const reason = cause instanceof DocumentStorageError ? cause.code : 'no code'
  return degraded(kind === 'unavailable' ? 'document_storage_unavailable' : 'document_storage_refused', {
    code: reason,
    advice: `${place} cannot be used (${reason})`,
  })
}
