/** What a rule does for a supplier: refuses the data, warns, or reports nothing. */
export const severities = ['error', 'warn', 'off'] as const
export type Severity = (typeof severities)[number]
