/** What the pages use of dagre. Its own types are those of an ES module, which files like ours may not import. */
declare module '@dagrejs/dagre' {
  interface LaidOut {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }

  /** Nodes and edges with sizes in, with places out. Ids are strings. */
  export class Graph {
    constructor(options: { readonly multigraph: boolean });
    setGraph(label: {
      readonly rankdir: 'TB';
      readonly nodesep: number;
      readonly ranksep: number;
      readonly marginx: number;
      readonly marginy: number;
    }): void;
    setNode(id: string, label: { readonly width: number; readonly height: number }): void;
    setEdge(
      from: string,
      to: string,
      label: { readonly width: number; readonly height: number; readonly labelpos: 'c' },
      name: string,
    ): void;
    /** of the whole picture, once laid out */
    graph(): { readonly width?: number; readonly height?: number };
    /** `x` and `y` of the middle */
    node(id: string): LaidOut;
    /** `x` and `y` of the label, where it has one */
    edge(
      from: string,
      to: string,
      name: string,
    ): {
      readonly points: readonly { readonly x: number; readonly y: number }[];
      readonly x?: number;
      readonly y?: number;
    };
  }

  /** Gives the nodes, edges and the graph their places. */
  export function layout(graph: Graph): void;
}
