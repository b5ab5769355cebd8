/** One thing that is wrong with the configuration; `problem` completes the sentence and shows no secret. */
export type ConfigFault = Readonly<{ variable: string; problem: string }>
