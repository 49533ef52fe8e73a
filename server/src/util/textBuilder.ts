/** Characters after which the pieces become one string. */
const FLATTEN_LENGTH = 8192;

/**
 * Concatenation of very many short strings. V8 keeps `a + b` as a tree until somebody reads it; the trees of a whole function
 * live long enough for the garbage collector to copy them, which took more than half of the time of texts of 40,000 instructions.
 * Reading each few kilobytes as a number makes V8 flatten them.
 */
export class TextBuilder {
  private readonly parts: string[] = [];
  private last = '';

  add(text: string): void {
    this.last += text;
    if (this.last.length < FLATTEN_LENGTH) return;
    Number(this.last);
    this.parts.push(this.last);
    this.last = '';
  }

  text(): string {
    return this.parts.length === 0 ? this.last : this.parts.join('') + this.last;
  }
}
