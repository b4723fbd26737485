/* Extra errors of a leaf as Weka's C4.5 counts them, in this folder:
 * java -cp /usr/share/java/weka.jar AddErrs.java > add_errs.json */
import java.util.ArrayList;
import java.util.List;
import weka.classifiers.trees.j48.Stats;
import weka.core.Version;

public class AddErrs {
  public static void main(String[] ignored) {
    double[] sizes = {1, 2, 3, 5.5, 10, 37, 100, 1000, 123456};
    double[] shares = {0, 0.001, 0.05, 0.25, 0.5, 0.9, 0.99, 1};
    float[] confidences = {0.01f, 0.05f, 0.1f, 0.25f, 0.5f};
    List<String> rows = new ArrayList<>();
    for (double n : sizes)
      for (double share : shares)
        for (float cf : confidences) {
          double errors = Math.rint(4 * n * share) / 4;
          rows.add(String.format("[%s, %s, %s, %s]", n, errors, (double) cf,
              Stats.addErrs(n, errors, cf)));
        }
    System.out.printf("{\"weka\": \"%s\", \"columns\": [\"n\", \"errors\", \"confidence\", \"extra\"],"
        + " \"rows\": [%n%s%n]}%n", new Version(), String.join(",\n", rows));
  }
}
