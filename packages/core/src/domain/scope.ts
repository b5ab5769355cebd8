/** What a token may be used for: decisions, section 4. */
export const scopes = ['validate', 'stage', 'process', 'post-import', 'read'] as const
export type Scope = (typeof scopes)[number]
