import type { Readable } from './readable.js'
import { distinct } from './repeats.js'

type NamespacedValue = Readable<{ namespace: string; value: string }>

/** Section 7.1: a customer has each detail once. */
export const distinctUserDetails = distinct<NamespacedValue>({
  code: 'duplicate_user_details',
  field: 'namespace',
  keyOf: ({ namespace }) => namespace,
})

/** Section 7.1: no two metadata items have one key. */
export const distinctMetadata = distinct<Readable<{ key: string }>>({
  code: 'metadata_has_duplicate_keys',
  field: 'key',
  keyOf: ({ key }) => key,
})

/** Section 7.1: a value comes once in its namespace. */
export const distinctReferences = distinct<NamespacedValue>({
  code: 'duplicate_references',
  field: 'value',
  keyOf: ({ namespace, value }) =>
    // Namespaces have no control characters.
    typeof namespace === 'string' && typeof value === 'string' ? `${namespace}\n${value}` : undefined,
})
