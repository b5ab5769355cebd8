/** What a token may be used for (docs/reference/api.md#authentication). */
export const scopes = ['validate', 'stage', 'process', 'post-import', 'read'] as const
export type Scope = (typeof scopes)[number]
