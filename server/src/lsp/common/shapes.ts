/**
 * Shapes of values that come from outside: each says what is wrong with a value, and is the source of the type of one with which nothing is.
 * Fields that a shape does not name may be anything.
 */

/** What is wrong with a value, with its path; null when nothing is. `T` is the type of a good one. */
export interface Shape<out T> {
  (value: unknown, path: string): string | null;
  /** never there: it carries the type */
  readonly good?: T;
}

export type Good<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends Good<F[K]> ? K : never }[keyof F];
type ObjectOf<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Good<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Exclude<Good<F[K]>, undefined>;
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const object =
  <F extends Fields>(fields: F): Shape<ObjectOf<F>> =>
  (value, path) => {
    if (!isObject(value)) return `${path || 'what is sent'} is no object`;
    for (const [name, check] of Object.entries(fields)) {
      const problem = check(value[name], path === '' ? name : `${path}.${name}`);
      if (problem !== null) return problem;
    }
    return null;
  };

export const list =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is no list`;
    for (let k = 0; k < value.length; k++) {
      const problem = item(value[k], `${path}[${k}]`);
      if (problem !== null) return problem;
    }
    return null;
  };

/** An object whose fields, whatever their names, have one shape. */
export const record =
  <T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (value, path) => {
    if (!isObject(value)) return `${path} is no object`;
    for (const [name, own] of Object.entries(value)) {
      const problem = item(own, `${path}.${name}`);
      if (problem !== null) return problem;
    }
    return null;
  };

/** Null counts as absent: readers of such a field use `??`. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value, path) =>
    value === undefined || value === null ? null : shape(value, path);

export const oneOf =
  <const T extends string>(...values: readonly T[]): Shape<T> =>
  (value, path) =>
    values.includes(value as T) ? null : `${path} is none of ${values.join(', ')}`;

/** A shape of the protocol's of which only `checked` is looked at, because nothing else is read. */
export const asFarAs = <T>(checked: Shape<unknown>): Shape<T> => checked as Shape<T>;

export const text: Shape<string> = (value, path) => (typeof value === 'string' ? null : `${path} is no text`);
export const number: Shape<number> = (value, path) => (typeof value === 'number' ? null : `${path} is no number`);
export const anything: Shape<unknown> = () => null;
/** A number of a line, character or list. */
export const index: Shape<number> = (value, path) =>
  Number.isInteger(value) && 0 <= (value as number) ? null : `${path} is no number of 0 or more`;

export const position = object({ line: index, character: index });
export const range = object({ start: position, end: position });
export const textDocument = object({ uri: text });
