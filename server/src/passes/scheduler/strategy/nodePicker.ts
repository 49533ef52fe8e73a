/** What the scheduler of a region asks of a strategy. */
import type { SUnitId } from '../dag/graph.js';

/** What picks nodes one by one and is told of each that was placed. */
export interface NodePicker {
  /** the side of the last pick */
  readonly pickedTop: boolean;
  pickNode(): SUnitId;
  schedNode(n: SUnitId, isTop: boolean): void;
  releaseNeighbours(n: SUnitId, isTop: boolean): void;
  /** nodes that follow a placed one, into `out` */
  physRegFollowers(n: SUnitId, isTop: boolean, out: SUnitId[]): void;
}
