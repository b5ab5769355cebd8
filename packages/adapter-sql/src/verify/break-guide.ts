/** What a break means, and what an operator does about it; for people. */
export type BreakGuide = Readonly<{ means: string; fix: string }>
