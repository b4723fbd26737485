/* Answers of Weka's corrected resampled t test, in this folder:
 * java -cp /usr/share/java/weka.jar CorrectedT.java > corrected_t.json
 * Values are multiples of 1/64 (exact in binary), drawn here and stored with the answers. */
import java.util.Arrays;
import java.util.Random;
import weka.core.Version;
import weka.experiment.PairedStats;
import weka.experiment.PairedStatsCorrected;

public class CorrectedT {
  public static void main(String[] ignored) {
    Random random = new Random(20240502);
    String[] cases = {
      asked(random, 10, 1.0 / 9, 0.1),
      asked(random, 100, 1.0 / 9, 0.2),
      asked(random, 50, 0.25, 1.5),
      asked(random, 15, 0.5, -0.3),
      asked(random, 2, 1.0, 0.4),
    };
    System.out.printf("{\"weka\": \"%s\", \"cases\": [%n%s%n]}%n", new Version(),
        String.join(",\n", cases));
  }

  private static String asked(Random random, int splits, double ratio, double shift) {
    PairedStats stats = new PairedStatsCorrected(0.05, ratio);
    double[] a = new double[splits], b = new double[splits];
    for (int i = 0; i < splits; i++) {
      a[i] = Math.round(64 * (random.nextGaussian() + shift)) / 64.0;
      b[i] = Math.round(64 * random.nextGaussian()) / 64.0;
    }
    stats.add(a, b);
    stats.calculateDerived();
    return String.format("{\"a\": %s, \"b\": %s, \"ratio\": %s, \"value\": %s, "
        + "\"p\": %s, \"significance\": %d}", Arrays.toString(a), Arrays.toString(b), ratio,
        stats.differencesStats.mean, stats.differencesProbability,
        stats.differencesSignificance);
  }
}
