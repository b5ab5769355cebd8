/** What a rule that may be changed does for a supplier. */
export const severities = ['error', 'warn', 'off'] as const
export type Severity = (typeof severities)[number]
