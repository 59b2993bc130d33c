/// What is read aloud so that a voice can be learnt: about two minutes. Each sound of English comes several times and in
/// many neighbourhoods, and every word is in the dictionary of Debian's model.
public enum EnrolmentText {
    public static let english = [
        "The quick boat drifted past the old stone bridge before noon.",
        "My younger sister always chooses the yellow chair by the window.",
        "Please measure three cups of flour and a small pinch of salt.",
        "Thunder shook the valley, and the children ran toward the house.",
        "He bought a pair of leather shoes and a dark blue coat.",
        "Would you rather walk along the beach or visit the museum?",
        "The judge asked both lawyers to choose their words with care.",
        "A large brown dog was sleeping under the kitchen table.",
        "They plan to finish the new railway station early next year.",
        "Fresh orange juice and toast is what she has for breakfast.",
        "I cannot remember where I put the keys to the garage.",
        "The voice on the radio said that snow would fall tonight.",
        "Our teacher drew a huge circle on the board with white chalk.",
        "Every Thursday we joined the others for a game of cards.",
        "The ship's crew watched the coast vanish behind the thick fog.",
        "Could someone show me how this strange machine works?",
        "Half of the apples in the basket were already too soft to eat.",
        "His usual answer was a loud laugh and a shake of the head.",
        "We heard birds singing in the woods long before the sun rose.",
        "The engine made an awful noise, so we pulled over and stopped.",
        "She wrote down the address on a piece of paper and left.",
        "Nothing is more pleasant than a quiet evening with a good book.",
        "The boy pointed at the huge poster and shouted with joy.",
        "After the long journey they were glad to sit by a warm fire.",
    ]
}
