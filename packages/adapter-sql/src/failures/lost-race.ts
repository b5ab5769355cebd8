/**
 * An insert found its places taken, although the account is locked: row locks do not reach the other nodes of a cluster,
 * and somebody there chose the same ones. To be run again, which sees what the other has done.
 */
export class LostRace extends Error {
  override readonly name = 'LostRace'

  constructor() {
    super('another node of the cluster wrote the same places first')
  }
}
