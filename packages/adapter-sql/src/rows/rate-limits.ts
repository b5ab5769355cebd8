/** How much of a limit a subject has used in the window of time that begins then. */
export type RateLimitRow = Readonly<{ subject: string; begins_at: string; expires_at: string; used: number }>
