import type { Readable } from './readable.js'
import { distinct } from './repeats.js'

type NamespacedValue = Readable<{ namespace: string; value: string }>

/** No two details of a customer have one namespace. */
export const distinctUserDetails = distinct<NamespacedValue>({
  code: 'duplicate_user_details',
  field: 'namespace',
  keyOf: ({ namespace }) => namespace,
})

/** No two metadata items have one key. */
export const distinctMetadata = distinct<Readable<{ key: string }>>({
  code: 'metadata_has_duplicate_keys',
  field: 'key',
  keyOf: ({ key }) => key,
})

/** No two references have the same namespace and value. */
export const distinctReferences = distinct<NamespacedValue>({
  code: 'duplicate_references',
  field: 'value',
  keyOf: ({ namespace, value }) =>
    // Namespaces have no control characters, so the line break shows where the namespace ends.
    typeof namespace === 'string' && typeof value === 'string' ? `${namespace}\n${value}` : undefined,
})
