// Lint rules of the index of LLVM's names: its form, and that each pass has a name in it.
import { docLines, FORM } from './entries.mjs';

const DECLARATIONS = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'MethodDefinition',
  'TSAbstractMethodDefinition',
  'PropertyDefinition',
  'VariableDeclaration',
  'TSInterfaceDeclaration',
  'TSMethodSignature',
  'TSPropertySignature',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
]);

const outermost = (node) => (node.parent?.type.startsWith('Export') ? node.parent : node);

/** The docstring that belongs to a declaration, null if there is none. */
function docOf(source, node) {
  const last = source.getCommentsBefore(outermost(node)).at(-1);
  return last?.type === 'Block' && last.value.startsWith('*') ? last : null;
}

const namesOf = (doc) => docLines(`/*${doc.value}*/`).filter((line) => line.startsWith('@llvm'));

const form = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      form: 'LLVM\'s names stand as "@llvm FILE.cpp Class::method", on a line of their own: {{line}}',
      place:
        '"@llvm" stands in the docstring of what follows LLVM: a function, method, class or constant comes right after it.',
    },
  },
  create(context) {
    const source = context.sourceCode;
    const placed = new Set();
    const visit = (node) => {
      const doc = docOf(source, node);
      if (doc !== null) placed.add(doc);
    };
    return {
      ...Object.fromEntries([...DECLARATIONS].map((type) => [type, visit])),
      'Program:exit'() {
        for (const comment of source.getAllComments()) {
          if (!comment.value.includes('@llvm ')) continue;
          if (!placed.has(comment)) {
            context.report({ loc: comment.loc, messageId: 'place' });
            continue;
          }
          for (const line of docLines(`/*${comment.value}*/`))
            if (line.includes('@llvm ') && !FORM.test(line))
              context.report({ loc: comment.loc, messageId: 'form', data: { line } });
        }
      },
    };
  },
};

/** A `MachinePass` is a constant of that type, or what `allocationPass` makes. */
function isPass({ id, init }) {
  const type = id.typeAnnotation?.typeAnnotation;
  if (type?.type === 'TSTypeReference' && type.typeName.name === 'MachinePass') return true;
  return init?.type === 'CallExpression' && init.callee.name === 'allocationPass';
}

const pass = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { pass: 'A pass says which of LLVM\'s it is: "@llvm FILE.cpp ClassLegacy" in its docstring.' },
  },
  create: (context) => ({
    ExportNamedDeclaration(node) {
      if (node.declaration?.type !== 'VariableDeclaration' || !node.declaration.declarations.some(isPass)) return;
      const doc = docOf(context.sourceCode, node.declaration);
      if (doc === null || namesOf(doc).length === 0) context.report({ node, messageId: 'pass' });
    },
  }),
};

export default { rules: { form, pass } };
