/**
 * What the event loop of a server did, in milliseconds. `delay`: the longest that nothing else could be done, by the
 * clock, so that a busy machine lengthens it. `busy`: time of the processor that the thread took, in all.
 */
export type Blocking = Readonly<{ delay: number; busy: number }>
