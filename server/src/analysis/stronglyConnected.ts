/** Strongly connected components of a graph (Tarjan), each after those that it reaches; the order inside one is not significant. O(nodes + edges) */
export function stronglyConnected(succs: readonly (readonly number[])[]): number[][] {
  const n = succs.length;
  const num = new Int32Array(n).fill(-1);
  const low = new Int32Array(n);
  const onStack = new Uint8Array(n);
  const next = new Int32Array(n);
  const stack: number[] = [];
  const path: number[] = [];
  const result: number[][] = [];
  let count = 0;
  for (let root = 0; root < n; root++) {
    if (num[root] >= 0) continue;
    path.push(root);
    while (path.length > 0) {
      const v = path[path.length - 1];
      if (num[v] < 0) {
        num[v] = low[v] = count++;
        stack.push(v);
        onStack[v] = 1;
      }
      if (next[v] < succs[v].length) {
        const w = succs[v][next[v]++];
        if (num[w] < 0) path.push(w);
        else if (onStack[w] !== 0) low[v] = Math.min(low[v], num[w]);
        continue;
      }
      path.pop();
      if (path.length > 0) low[path[path.length - 1]] = Math.min(low[path[path.length - 1]], low[v]);
      if (low[v] !== num[v]) continue;
      const scc: number[] = [];
      for (;;) {
        const w = stack.pop()!;
        onStack[w] = 0;
        scc.push(w);
        if (w === v) break;
      }
      result.push(scc);
    }
  }
  return result;
}
