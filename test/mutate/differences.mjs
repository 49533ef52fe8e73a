/**
 * Which mutants a test could notice at all: those whose expression had, at least once, another value than the original's (what the
 * literature calls weak mutation: Howden, 1982). A comparison `a < b` beside its mutant `a <= b` differs only where both are equal, a condition
 * beside `true` only where it does not hold. Everything else counts as differing whenever it is evaluated.
 *
 * The build with all mutants becomes one in which none can be switched on and each such expression is a call that looks at all of them:
 *
 *     $mut.on === 17 ? a <= b : $mut.on === 16 ? true : ($cov[16] = $cov[17] = 1, a < b)     →     $look3(a, b)
 *     function $look3(l, r) { const v = l < r; $cov[16] |= v === true ? 1 : 3; $cov[17] |= l <= r === v ? 1 : 3; return v; }
 *
 * In `$cov` stands 1 for a mutant that was reached and 3 for one that differed.
 */
import { parse } from 'acorn';

const COMPARED = new Set(['EqualityOperator', 'ArithmeticOperator']);

/** The number in `$mut.on === N`, or -1. */
function switchOf(test) {
  const { type, operator, left, right } = test;
  const isSwitch =
    type === 'BinaryExpression' &&
    operator === '===' &&
    left.type === 'MemberExpression' &&
    left.object.name === '$mut' &&
    left.property.name === 'on';
  return isSwitch ? right.value : -1;
}

/**
 * @param {string} code a source with its mutants, as `build.mjs` makes it
 * @param {string} headerEnd what its first statement ends with
 * @param {(id: number) => string} operatorOf the kind of a mutant
 * @returns {string}
 */
export function withDifferences(code, headerEnd, operatorOf) {
  const looks = [];

  /** The text of a node, the choices in it replaced. */
  function render(node) {
    const parts = [];
    let at = node.start;
    (function visit(inner) {
      if (inner.type === 'ConditionalExpression' && switchOf(inner.test) >= 0) {
        parts.push(code.slice(at, inner.start), looked(inner));
        at = inner.end;
        return;
      }
      const children = Object.values(inner).flat();
      for (const child of children.filter((c) => c?.type).sort((a, b) => a.start - b.start)) visit(child);
    })(node);
    return parts.join('') + code.slice(at, node.end);
  }

  function looked(choice) {
    const mutants = [];
    let last = choice;
    for (; last.type === 'ConditionalExpression' && switchOf(last.test) >= 0; last = last.alternate)
      mutants.push({ id: switchOf(last.test), expression: last.consequent });
    const original = last.expressions.at(-1);
    const isBinary =
      original.type === 'BinaryExpression' &&
      mutants.some((m) => COMPARED.has(operatorOf(m.id)) && m.expression.type === 'BinaryExpression');
    const marks = mutants.map(({ id, expression }) => {
      const operator = operatorOf(id);
      if (isBinary && COMPARED.has(operator) && expression.type === 'BinaryExpression')
        return `try { $cov[${id}] |= Object.is(l ${expression.operator} r, v) ? 1 : 3; } catch { $cov[${id}] = 3; }`;
      if (operator === 'ConditionalExpression' && typeof expression.value === 'boolean')
        return `$cov[${id}] |= ${expression.value ? '' : '!'}v ? 1 : 3;`;
      // Where `a && b` is true, both are, and where `a || b` is false, neither.
      if (operator === 'LogicalOperator' && (original.operator === '&&' || original.operator === '||'))
        return `$cov[${id}] |= v === ${original.operator === '&&'} ? 1 : 3;`;
      return `$cov[${id}] = 3;`;
    });
    const name = `$look${looks.length}`;
    if (isBinary) {
      looks.push(`function ${name}(l, r) { const v = l ${original.operator} r; ${marks.join(' ')} return v; }`);
      return `${name}(${argument(original.left)}, ${argument(original.right)})`;
    }
    looks.push(`function ${name}(v) { ${marks.join(' ')} return v; }`);
    // What is reached and throws counts as well.
    const reached = mutants.map(({ id }) => `$cov[${id}] |= 1`).join(', ');
    return `(${reached}, ${name}(${argument(original)}))`;
  }

  /** Neither `a, b` nor `...` is an expression here; parentheses keep what is one. */
  const argument = (node) => `(${render(node)})`;

  const begin = code.indexOf(headerEnd) + headerEnd.length;
  const text = render(parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true }));
  const body = text.slice(begin).replace(/((?:\$cov\[\d+\] = )+)1\b/g, '$13');
  return `${code.slice(0, begin)}${body}\n${looks.join('\n')}\n`;
}
