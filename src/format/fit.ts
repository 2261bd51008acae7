/** How much of a list fits an answer: the most items whose text, with all that is said about it, keeps within a cap. */
export function fit(count: number, textOf: (shown: number) => string, cap: number): number {
  const fits = (shown: number): boolean => Buffer.byteLength(textOf(shown)) <= cap;
  if (fits(count)) return count;
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
